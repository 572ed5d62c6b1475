/** What a host can ask of Claude Code and not of its stand-in: a program may not notice that it was refused. */
export const UNPLAYED_REQUESTS: ReadonlySet<string> = new Set([
  ...['add_directory', 'channel_enable', 'claim_session', 'claude_authenticate', 'claude_oauth_callback'],
  ...['claude_oauth_wait_for_completion', 'export_conversation', 'fork_conversation', 'get_memory_dialog', 'get_plan'],
  ...['get_sandbox_dialog', 'get_session_cost', 'get_skills_dialog', 'get_status', 'get_task_output'],
  ...['get_workspace_diff', 'mcp_authenticate', 'mcp_clear_auth', 'mcp_oauth_callback_url', 'mcp_read_resource'],
  ...['message_rated', 'register_repo_root', 'reload_skills', 'remote_control', 'rewind_conversation', 'set_cwd'],
  ...['set_mcp_permission_mode_override', 'set_proactivity_level', 'side_question', 'submit_feedback'],
  ...['submit_survey_feedback', 'ultrareview_launch', 'update_settings'],
]);
