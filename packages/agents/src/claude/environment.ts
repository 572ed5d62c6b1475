import type { RealModelSettings, ServedClient, ServerAccess } from '@understudy/model';
import { SHORT_LIVED } from '../environment.js';

export const environment: ServedClient['environment'] = (server, { retries, real }) => ({
  env: {
    ...anthropicAccess(server, real),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // A script cannot call tools that the CLI only offers after a search.
    ENABLE_TOOL_SEARCH: 'false',
    ...SHORT_LIVED,
    ...claudeRetries(retries),
  },
  files: {},
  args: [],
});

/** How often Claude Code may repeat a failed request; by itself ten times. */
export function claudeRetries(retries: number | undefined): Record<string, string> {
  return retries === undefined ? {} : { CLAUDE_CODE_MAX_RETRIES: String(retries) };
}

/** Where Claude Code finds Anthropic's API: directly, or in a cloud. */
function anthropicAccess({ url, key }: ServerAccess, real: RealModelSettings | undefined): Record<string, string> {
  const env = real?.env ?? {};
  if (env['CLAUDE_CODE_USE_BEDROCK'] !== undefined)
    return { ...env, ANTHROPIC_BEDROCK_BASE_URL: url, AWS_BEARER_TOKEN_BEDROCK: key };
  if (env['CLAUDE_CODE_USE_VERTEX'] !== undefined)
    // Claude Code signs in to Google by itself, so our key is in the address.
    return { ...env, ANTHROPIC_VERTEX_BASE_URL: `${url}/key/${key}/v1` };
  return { ...env, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key };
}
