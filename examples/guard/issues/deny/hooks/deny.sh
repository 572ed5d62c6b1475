if grep -q 'rm keep.txt'; then
  echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"It stays."}}'
fi
