"""What is better here than in the reference (protocol §13), and what the rest of its page promises."""

from .promises import Promise, table

EVENTS = table(
    "§13.1",
    """
    W-01 Nothing is lost within a millisecond: cursors are positions.
    test_a_batch_may_end_inside_a_millisecond
    W-02 Place and time are given by the append: no event comes before one that was delivered.
    test_an_event_stamped_by_a_late_clock_is_not_lost
    W-03 Every event can be reached: since is applied before limit, and positions page both ways.
    test_every_event_can_be_reached
    W-04 An agent far behind skips nothing and is told how much is left.
    test_an_agent_far_behind_skips_nothing
    W-05 With ack, what was not acknowledged is delivered again; peek takes nothing.
    test_what_is_not_acknowledged_is_delivered_again
    W-06 Concurrent readers under one name get each event once; no cursor moves backwards.
    test_readers_under_one_name_share_what_there_is
    W-07 Events of one millisecond keep their order.
    test_events_of_one_millisecond_keep_their_order
    W-08 A summary counts new context by what the agent was told of, not by its event cursor.
    test_new_context_is_counted_by_what_the_agent_was_told_of
    W-09 read_by has the receipts; a receipt for an unknown event is refused.
    test_read_by_says_who_has_left_a_receipt
    W-10 An agent may ask for what is meant for it, for others' events, for types.
    test_an_agent_may_ask_for_less_than_everything
    W-11 Deleting an event is a tombstone and loses nothing that is posted meanwhile.
    test_deleting_loses_nothing_that_is_posted_meanwhile
    """,
)
PLAN_AND_LOCKS = table(
    "§13.2",
    """
    W-12 A client lock named plan never blocks the plan.
    test_a_client_lock_named_plan_never_blocks_the_plan
    W-13 A lock ends at its own deadline, whatever else is called.
    test_a_lock_ends_by_itself_however_busy_the_room_is
    W-14 A seat bound to a name cannot release somebody else's lock by naming its holder.
    test_a_bound_seat_cannot_release_by_naming_the_holder
    W-15 Tokens grow with every grant; a late release does not touch a later grant.
    test_the_token_grows_and_tells_a_late_holder_apart
    W-16 A refusal names the real holder and the end; the holder renews by asking again.
    test_the_second_agent_is_refused_and_told_who_holds_the_lock
    W-17 Sixteen writers at once: no update is lost, nobody is told to retry.
    test_of_sixteen_writers_with_a_hundred_updates_each_none_is_lost
    W-18 Claiming is atomic: of fifty agents one has the task and the others are told who.
    test_of_fifty_agents_who_claim_one_task_one_has_it
    W-19 Notes are kept as history; an owner can be cleared.
    test_a_note_replaces_the_description_and_is_kept_as_history
    W-20 Unblocked tasks come by priority, then in plan order.
    test_the_most_important_task_is_offered_first
    W-21 Circles are refused; dangling dependencies are named.
    test_a_circle_of_dependencies_is_refused
    W-22 Titles, descriptions and notes are bounded.
    test_titles_descriptions_and_notes_are_bounded
    W-23 A template never overwrites a plan.
    test_a_template_never_overwrites_a_plan
    W-24 An update that changes nothing tells nothing.
    test_an_update_that_changes_nothing_tells_nothing
    """,
)
CONTEXT = table(
    "§13.3",
    """
    W-25 No revision is lost; expectedVersion refuses what was written on an older one.
    test_two_revisions_at_once_are_two_versions
    W-26 Fields inside endpoints are kept.
    test_unknown_fields_inside_an_endpoint_are_kept
    W-27 The same bound of 64,000 bytes everywhere.
    test_a_payload_has_the_same_bound_everywhere
    W-28 Nothing of a withdrawn entry can be read.
    test_the_history_of_a_withdrawn_entry_is_gone
    W-29 list_context is newest first, with limit and offset.
    test_context_is_listed_newest_first_and_in_pages
    W-30 A new author alone is no new version; a long history says how long it is.
    test_a_new_author_alone_is_no_new_version
    W-31 A diff goes deep, ignores the order of keys, and names what breaks.
    test_a_diff_goes_deep_and_does_not_mind_the_order_of_keys
    W-32 History and search are there.
    test_every_version_of_an_entry_can_be_found_again
    """,
)
IDENTITY_AND_OTHERS = table(
    "§13.4 to §13.7",
    """
    W-33 Reading about an agent does not mark it online.
    test_reading_about_an_agent_does_not_mark_it_online
    W-34 When an agent was last seen is kept while it is offline.
    test_an_agent_is_offline_two_minutes_after_its_last_sign_of_life
    W-35 Every event names the credential that vouched for it.
    test_every_event_names_the_credential_that_vouched_for_it
    W-36 A bound seat has a chosen name, and its tasks, cursor and presence under it.
    test_a_bound_endpoint_speaks_under_its_chosen_name
    W-37 Reviews: real targets, another reviewer, two notes, resolved once, and they work out of the box.
    test_a_review_is_resolved_once_however_many_try
    W-40 Variables are strings for ever.
    test_a_variable_is_a_string_for_ever
    W-42 A waiting agent is woken, it does not poll.
    test_a_waiting_agent_is_woken_by_an_event
    W-43 wait_for_events returns a count.
    test_a_wait_in_vain_says_so
    W-48 Names of rooms cannot be squatted; looking makes no room.
    test_teams_have_rooms_of_their_own_under_any_name
    W-49 A denial proves nothing.
    test_teams_have_rooms_of_their_own_under_any_name
    W-63 Omitted arguments mean none.
    test_omitted_arguments_mean_none
    W-68 Search ranks by words and is not limited to the newest 200 events.
    test_search_ranks_by_words_and_reaches_old_events
    W-72 Analytics count every event and every agent.
    test_analytics_count_every_event_and_every_agent
    W-73 A repeated requestId has its effect once.
    test_a_repeated_request_has_its_effect_once
    """,
)
ELSEWHERE = table(
    "§1 to §14, design §8",
    """
    38 Room ids of 2 to 64 characters are valid.
    test_a_good_room_id_is_taken
    39 `r`, `Room1`, `__hidden` are invalid; `bad__id` is invalid as reserved.
    test_a_bad_room_id_is_refused_by_every_tool
    47 A seat bound to bob approves as bob, whatever agentId it gives.
    test_a_bound_reviewer_resolves_under_its_own_name
    §1.1 Concurrent task updates never overwrite each other.
    test_of_sixteen_writers_with_a_hundred_updates_each_none_is_lost
    §1.2 Each agent gets each event once.
    test_readers_and_writers_of_one_inbox_meet_every_event_once
    §1.7 A room belongs to one team.
    test_teams_have_rooms_of_their_own_under_any_name
    §2.3 Automatic events have their type, from, to and payload keys; all else is not told.
    test_a_change_is_told_once_with_the_keys_of_the_catalogue
    §3.2 Results are not enveloped; all tools are listed in the order of the catalogue.
    test_a_result_is_not_enveloped
    §3.3 Extra arguments are ignored; omitted arguments mean none; an unknown tool is named.
    test_extra_arguments_are_ignored
    §13.8 room_id and agent_id are accepted.
    test_room_id_and_agent_id_are_read_as_aliases
    §14.2 All 44 tools, with arguments, bounds, defaults and result fields of the catalogue.
    test_a_result_has_the_fields_of_the_catalogue
    §14.3 The order of events is that of the log.
    test_positions_grow_in_the_order_of_the_log
    §14.4 The literal texts that clients match on.
    test_an_unknown_id_is_refused_in_the_literal_words
    §14.5 The same automatic events.
    test_a_change_is_told_once_with_the_keys_of_the_catalogue
    8KB A default answer to a model stays under 8 KB, says what was cut, and names the call that has the rest.
    test_a_long_list_is_cut_and_its_notes_lead_through_all_of_it
    """,
)
MENDS: list[Promise] = [*EVENTS, *PLAN_AND_LOCKS, *CONTEXT, *IDENTITY_AND_OTHERS, *ELSEWHERE]
