/** What a CLI needs to use the server and no other model. */
export interface AgentEnvironment {
  env: Record<string, string>;
  /** Files for its home folder, by their path in it. */
  files: Record<string, string>;
  /** Arguments for its command line. */
  args: string[];
}

/** What a CLI on a real model needs besides: the server passes its requests on, or plays a recording of them. */
export interface RealModelSettings {
  /** Variables that say which model is asked, and where: no keys. */
  env: Record<string, string>;
  /** The CLI's own providers and models, as its configuration has them. */
  configuration?: Record<string, unknown>;
}

export interface EnvironmentOptions {
  /** The CLI asks for its own model, not for the scripted one. */
  real?: RealModelSettings | undefined;
  /** Maximum number of retries of a failed request. Absent: the CLI's own default. */
  retries?: number;
}

/** Where a server is, and the key that it demands. */
export interface ServerAccess {
  url: string;
  key: string;
}

/** What points the SDKs of Anthropic, OpenAI and Google at a server. */
export function sdkEnvironment({ url, key }: ServerAccess): Record<string, string> {
  return {
    ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key },
    ...{ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key },
    ...{ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key },
  };
}
