#!/bin/sh
# Runs one shard of a Kubernetes Indexed Job and hands its result on: `sh shard.sh PATHS and flags of understudy run…`.
#
#   JOB_COMPLETION_INDEX  the number of the shard from 0; Kubernetes sets it
#   SHARDS                how many shards there are: `completions` of the Job
#   RESULTS               a folder that all shards share, or an address (http, https) to which each result is PUT as
#                         RESULTS/INDEX.tar.gz; RESULTS_TOKEN is sent as a bearer token, if it is set
#   UNDERSTUDY            the command (default: understudy)
#
# Its exit code is that of the run; 2 when the result could not be handed on.
set -u
: "${JOB_COMPLETION_INDEX:?is set by Kubernetes in a Job with completionMode Indexed}"
: "${SHARDS:?set it to the completions of the Job}"
: "${RESULTS:?set it to a shared folder or to an address that takes PUT}"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# SC2086: the command may have arguments of its own.
# shellcheck disable=SC2086
${UNDERSTUDY:-understudy} run "$@" --shard "$((JOB_COMPLETION_INDEX + 1))/$SHARDS" --output "$work/$JOB_COMPLETION_INDEX"
code=$?
# 130: the pod is being ended. Another one will play this shard.
[ "$code" -eq 130 ] && exit 130

case $RESULTS in
  http://* | https://*)
    tar -C "$work" -czf "$work/result.tar.gz" "$JOB_COMPLETION_INDEX" || exit 2
    # The token stays out of the list of processes.
    if [ -n "${RESULTS_TOKEN:-}" ]; then printf 'header = "Authorization: Bearer %s"\n' "$RESULTS_TOKEN"; fi |
      curl --fail --silent --show-error --retry 5 --retry-connrefused --config - \
        --upload-file "$work/result.tar.gz" "${RESULTS%/}/$JOB_COMPLETION_INDEX.tar.gz" >/dev/null || exit 2
    ;;
  *)
    # A pod that was tried before may have left half of it.
    rm -rf "${RESULTS:?}/$JOB_COMPLETION_INDEX" "$RESULTS/.new-$JOB_COMPLETION_INDEX" || exit 2
    cp -R "$work/$JOB_COMPLETION_INDEX" "$RESULTS/.new-$JOB_COMPLETION_INDEX" || exit 2
    mv "$RESULTS/.new-$JOB_COMPLETION_INDEX" "$RESULTS/$JOB_COMPLETION_INDEX" || exit 2
    ;;
esac
exit "$code"
