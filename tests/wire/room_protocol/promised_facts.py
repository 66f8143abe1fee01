"""The facts of protocol §12.2 to §12.4 that the tests of the reference assert."""

from .promises import Promise, table

PLAN = table(
    "§12.2",
    """
    51 A missing room reads as an empty plan whose project is the room's id.
    test_a_missing_room_reads_as_an_empty_plan
    52 After add_task, read_plan has one task with that title, pending, without owner.
    test_an_added_task_is_pending_and_unowned
    53 add_task tells exactly one event, task_added, to all.
    test_adding_a_task_is_told_once_to_everybody
    54 Tasks append in order.
    test_tasks_stand_in_the_order_in_which_they_were_added
    55 update_task sets status and owner; its event has previousStatus and comes from the owner argument.
    test_updating_a_task_tells_its_new_owner_and_its_earlier_status
    56 Without an owner argument the existing owner stays.
    test_the_owner_stays_when_none_is_given
    57 An unknown task is refused with `Task not found: nope`.
    test_an_unknown_task_is_refused_by_name
    58 After a failed plan write the plan lock is free.
    test_a_failed_plan_write_leaves_no_lock_behind
    59 get_task returns one task.
    test_get_task_reads_one_task
    60 get_task of an unknown id is refused with `Task not found: missing`.
    test_get_task_refuses_an_unknown_id
    61 A pending task without dependencies is unblocked.
    test_a_pending_task_without_dependencies_is_unblocked
    62 A task with an unfinished dependency is hidden, and shown once that is done.
    test_an_unfinished_dependency_hides_a_task_until_it_is_done
    63 A dependency absent from the plan counts as unmet.
    test_a_dependency_that_is_on_no_plan_counts_as_unmet
    64 Tasks that are not pending are never unblocked.
    test_only_pending_tasks_are_unblocked
    65 With agentId, other agents' pending tasks are hidden, own and unowned ones kept.
    test_another_agents_pending_tasks_are_not_offered
    66 get_my_tasks returns only the caller's.
    test_my_tasks_are_mine_in_plan_order_whatever_their_status
    67 get_my_summary first returns the one event, then none.
    test_a_summary_delivers_each_event_once
    68 Summary cursors are per agent.
    test_summary_cursors_are_per_agent
    69 A summary contains own tasks and echoes the agent id.
    test_a_summary_has_own_tasks_and_echoes_the_agent
    70 delete_task empties the plan and logs task_deleted.
    test_deleting_a_task_empties_the_plan_and_is_told
    71 set_task_priority and add_dependency show in get_task.
    test_priority_and_dependencies_show_in_the_task
    """,
)
CONTEXT = table(
    "§12.3",
    """
    72 A well-formed api_contract passes.
    test_a_well_formed_payload_passes
    73 Empty endpoints fail, naming `endpoints`.
    test_a_bad_payload_is_refused_and_its_field_named
    74 An unknown HTTP method fails, naming `method`.
    test_a_bad_payload_is_refused_and_its_field_named
    75 An empty note payload fails, naming `text`.
    test_a_bad_payload_is_refused_and_its_field_named
    76 An unknown urgency fails, naming `urgency`.
    test_a_bad_payload_is_refused_and_its_field_named
    77 Unknown top-level fields of an arch_decision are kept.
    test_unknown_top_level_fields_are_kept
    78 write_context returns version 1.0 and can be read back.
    test_a_written_entry_has_version_one_and_reads_back
    79 A mismatching payload is rejected with `Invalid payload for context type "api_contract"`.
    test_a_new_payload_must_fit_the_stored_type
    80 With one consumer the newest event is context_available, addressed to it.
    test_consumers_are_told_of_a_new_entry
    81 With several consumers it is addressed to all.
    test_consumers_are_told_of_a_new_entry
    82 Without consumers there is no event at all.
    test_without_consumers_nobody_is_told
    83 update_context with a summary: version 1.1, same type, new summary.
    test_a_new_summary_raises_the_version_and_keeps_the_type
    84 Updating does not create a second entry; the new payload is visible.
    test_updating_makes_no_second_entry
    85 A replaced payload is validated against the stored type.
    test_a_new_payload_must_fit_the_stored_type
    86 Updating notifies the consumer with previousVersion 1.0, version 1.1.
    test_updating_tells_the_consumers_both_versions
    87 An unknown id is refused with `ContextEntry not found: nope`.
    test_an_unknown_entry_is_refused_by_name
    88 list_context unfiltered returns all.
    test_list_context_filters_by_type_and_author
    89 It filters by type.
    test_list_context_filters_by_type_and_author
    90 It filters by author.
    test_list_context_filters_by_type_and_author
    91 It is scoped to its room.
    test_context_is_scoped_to_its_room
    92 delete_context removes an entry: a later read fails with "not found".
    test_a_deleted_entry_cannot_be_read
    93 After one update the history has one entry, the old summary, and current is the new one.
    test_the_history_has_what_an_entry_said_before
    94 diff_context reports summaryChanged and the changed payload key.
    test_a_diff_names_the_changed_keys
    """,
)
EVENTS_PRESENCE_LOCKS = table(
    "§12.4",
    """
    95 read_events is newest first.
    test_read_events_has_the_newest_first_up_to_its_limit
    96 It honours limit.
    test_read_events_has_the_newest_first_up_to_its_limit
    97 A future since gives none.
    test_a_future_since_gives_none
    98 Events are scoped to their room.
    test_events_are_scoped_to_their_room
    99 Unread: all on the first call, none on the second.
    test_unread_is_everything_once
    100 A later event is returned alone.
    test_a_later_event_is_delivered_alone
    101 Cursors are independent per agent.
    test_cursors_are_independent_per_agent
    102 The returned cursor equals the last event's timestamp.
    test_the_cursor_is_the_time_of_the_last_event
    103 Five events with limit 2 drain as 2, 2, 1 oldest first.
    test_limited_calls_drain_a_backlog_in_order
    104 With limit 1 the second event is not skipped.
    test_limited_calls_drain_a_backlog_in_order
    105 Receipts: empty, then the marking agent.
    test_a_receipt_lists_its_reader_once
    106 Marking twice lists once.
    test_a_receipt_lists_its_reader_once
    107 A reply carries reply_to_id, also in the log.
    test_a_reply_names_what_it_answers
    108 delete_event removes the target and leaves an event_deleted notice.
    test_a_deleted_event_leaves_a_notice
    109 A heartbeat registers the agent online.
    test_a_heartbeat_registers_an_agent_online
    110 After 121 s it is offline and still listed.
    test_an_agent_is_offline_two_minutes_after_its_last_sign_of_life
    111 Presence covers all agents.
    test_presence_covers_every_agent
    112 The first agent gets the lock, the second is refused.
    test_the_second_agent_is_refused_and_told_who_holds_the_lock
    113 Only the holder can release.
    test_only_the_holder_can_release_a_lock
    114 A released lock can be taken by another.
    test_a_released_lock_can_be_taken_by_another
    115 After its time a lock is gone from the list and acquirable.
    test_a_lock_ends_by_itself_however_busy_the_room_is
    116 A list_locks item has resource and owner.
    test_a_listed_lock_names_resource_and_owner
    117 Different resources do not collide.
    test_different_resources_do_not_collide
    """,
)
THE_REST = table(
    "§12.4",
    """
    118 A variable round-trips with found: true.
    test_a_variable_round_trips
    119 Unset: value null, found false.
    test_an_unset_variable_is_null_and_not_found
    120 The empty string: found true.
    test_an_empty_string_is_found
    121 An overwrite is visible; the newest event is shared_var_set from the second setter.
    test_the_last_write_wins_and_is_told
    122 The list has all variables with their count.
    test_the_list_has_all_variables_and_their_count
    123 Variables are scoped to the room.
    test_variables_are_scoped_to_their_room
    124 list_rooms returns the team's rooms.
    test_list_rooms_has_the_teams_rooms_in_order
    126 leave_room: left, remaining agents, gone from presence, agent_left logged.
    test_leaving_forgets_an_agent_and_is_told
    127 A review goes from pending to approved by its reviewer; both events are logged.
    test_a_review_is_approved_by_its_reviewer
    128 A wrong reviewer is refused with `Only reviewer …`.
    test_only_the_reviewer_may_resolve
    129 Rejecting works and shows under the status filter.
    test_a_rejection_shows_under_its_status
    130 Room info after a claim: owner, createdAt, echo of the id.
    test_room_info_after_a_claim
    131 Searching `auth` finds a task and a context entry.
    test_search_finds_tasks_context_and_events
    132 Semantic search without configuration fails with "not configured".
    test_semantic_search_is_not_configured
    133 Analytics of one done task: total 1, done 1, rate 1.
    test_analytics_of_one_done_task
    134 web-app is among the templates.
    test_templates_are_listed_in_order
    135 Creating from web-app seeds as many tasks as reported.
    test_a_room_from_a_template_has_as_many_tasks_as_reported
    """,
)
FACTS: list[Promise] = [*PLAN, *CONTEXT, *EVENTS_PRESENCE_LOCKS, *THE_REST]
