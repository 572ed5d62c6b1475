# The harness with all pinned agent CLIs, for `understudy run --isolation docker` and machines without a registry.
#   docker build -f docker/Dockerfile -t understudy . && docker build -f docker/agents.Dockerfile -t understudy-agents .
ARG HARNESS_IMAGE=understudy

FROM ${HARNESS_IMAGE} AS store
RUN understudy agents add claude && understudy agents add opencode \
  && understudy agents add codex && understudy agents add gemini

FROM ${HARNESS_IMAGE}
COPY --from=store --chown=node:node /home/node/.cache/understudy/agents /home/node/.cache/understudy/agents
HEALTHCHECK --interval=60s --timeout=30s --retries=2 CMD ["understudy", "agents", "list"]
