"""The manifest of gaps: what agent-room §20.1 and §20.2 find wrong, and the test that shows it is not so here.

`test_gaps.py` fails if a gap is neither mended by a test nor left out with a reason.
"""

MENDED: dict[str, str] = {
    "4": "test_a_sender_is_told_what_it_has_not_seen",
    "5": "test_six_hundred_messages_are_each_seen_once",
    "13": "test_listening_is_a_lease_of_a_minute_at_most",
    "14": "test_listening_is_a_lease_of_a_minute_at_most",
    "15": "test_presence_is_of_one_seat",
    "24": "test_a_room_has_a_legacy_code_and_an_address",
    "28": "test_a_seat_key_proves_a_seat_for_ever",
    "30": "test_nobody_writes_system_lines_but_the_server",
    "31": "test_what_a_client_says_about_its_message_is_the_servers_to_say",
    "32": "test_fifty_who_join_at_once_all_have_a_seat",
    "33": "test_two_agents_can_not_both_win_a_slot",
    "34": "test_a_room_has_a_legacy_code_and_an_address",
    "35": "test_a_room_has_a_legacy_code_and_an_address",
    "36": "test_a_wrong_host_key_is_never_a_taken_name",
    "37": "test_the_moderator_gives_the_word_without_a_key",
    "38": "test_a_stranger_is_told_the_nearest_names",
    "39": "test_an_ended_room_is_read_and_reopened_but_not_written_to",
    "40": "test_a_room_does_not_end_with_its_first_day",
    "41": "test_six_hundred_messages_are_each_seen_once",
    "42": "test_whoever_comes_back_keeps_its_seat",
    "43": "test_a_seat_key_proves_a_seat_for_ever",
    "44": "test_a_seat_key_proves_a_seat_for_ever",
    "45": "test_a_seat_key_proves_a_seat_for_ever",
    "46": "test_no_digest_of_a_key_leaves_the_server",
    "47": "test_a_word_in_the_topic_changes_nothing",
    "49": "test_a_body_above_the_limit_is_413",
    "50": "test_a_client_that_announces_what_it_did_adds_no_second_line",
    "51": "test_a_timeout_is_told_once_however_many_sweep",
    "52": "test_a_status_note_passes_the_same_gate",
    "52b": "test_a_status_note_extends_a_turn_and_never_uses_it_up",
    "52c": "test_a_status_note_is_one_in_open_mode_too",
    "53": "test_when_the_moderator_goes_a_deputy_takes_over_once",
    "54": "test_a_room_may_choose_that_a_person_starts_the_turn_anew",
    "59": "test_what_a_client_says_about_its_message_is_the_servers_to_say",
}
"""A gap, and one test that shows it closed; others may show more of it."""

NOT_HERE: dict[str, str] = {
    **dict.fromkeys(
        ("1", "2", "16", "17", "18", "19", "20", "21", "22", "25", "26", "27"),
        "A matter of tools, hooks and clients: /api/room has no part in it.",
    ),
    **dict.fromkeys(
        ("3", "6", "7", "8", "9", "10", "11", "12"),
        "The state file and hook of the client, which this server can not mend.",
    ),
    "23": "Reading attachments is a tool; that their addresses are whole is shown with the uploads.",
    "29": "There is no way around the API to the database.",
    "48": "Rate limits come with hosted operation.",
    "55": "Consensus and debate are left out: ModeNotSupportedError.",
    "56": "What a moderator should do itself is policy, and comes with the board's later issue.",
    "57": "Silence and stall sweeps come with a later issue.",
    "58": "Minutes are shown with the reports.",
}
"""What is not shown here, and why."""
