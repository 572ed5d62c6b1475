import { NotSupported } from '../options.js';

/** Variables that every server gets, whatever they are called. */
const ALWAYS = new Set(
  (
    'PATH SYSTEMROOT COMSPEC PATHEXT WINDIR TEMP TMP USERPROFILE SYSTEMDRIVE HOME LANG SHELL TMPDIR USER LOGNAME TERM ' +
    'COLORTERM ADDITIONAL_CONTEXT AVAILABLE_LABELS BRANCH_NAME DESCRIPTION EVENT_NAME GITHUB_ENV IS_PULL_REQUEST ' +
    'ISSUES_TO_TRIAGE ISSUE_BODY ISSUE_NUMBER ISSUE_TITLE PULL_REQUEST_NUMBER REPOSITORY TITLE TRIGGERING_ACTOR'
  ).split(' '),
);

/** Variables that no server gets. */
const NEVER = new Set(
  (
    'CLIENT_ID DB_URI CONNECTION_STRING AWS_DEFAULT_REGION AZURE_CLIENT_ID AZURE_TENANT_ID SLACK_WEBHOOK_URL ' +
    'TWILIO_ACCOUNT_SID DATABASE_URL GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_ACCOUNT FIREBASE_PROJECT_ID'
  ).split(' '),
);

const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT/;
const SECRET_VALUES = [
  /-----BEGIN (?:(?:RSA|OPENSSH|EC|PGP) PRIVATE KEY|CERTIFICATE)-----/,
  /(?:HTTPS?|FTP|SMTP):\/\/[^:\s]{1,1024}:[^@\s]{1,1024}@/,
  /(?:GH[POUSR]|GITHUB_PAT)_\w{36,}/,
  /AIZASY[\w\\-]{33}/,
  /AKIA[A-Z0-9]{16}/,
  /EYJ[\w-]{0,10240}\.[\w-]{0,10240}\.[\w-]{0,10240}/,
  /[SR]K_(?:LIVE|TEST)_[0-9A-Z]{24}/,
  /XOX[ABPR]-[A-Z0-9-]+/,
];

/** Variables that decide which code a program runs: settings of a server cannot set them. */
const EXECUTION = new Set(
  (
    'NODE_OPTIONS NODE_CLI_FLAGS _FORCE_NODE_OPTIONS NODE_PATH ELECTRON_RUN_AS_NODE PYTHONPATH PYTHONSTARTUP RUBYOPT ' +
    'RUBYLIB PERL5OPT PERL5LIB LD_PRELOAD LD_AUDIT LD_DEBUG LD_PROFILE LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES ' +
    'DYLD_FORCE_FLAT_NAMESPACE DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH DYLD_FALLBACK_LIBRARY_PATH ' +
    'DYLD_FALLBACK_FRAMEWORK_PATH BASH_ENV ENV PERL5DB JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH DOTNET_STARTUP_HOOKS ' +
    'CORECLR_PROFILER_PATH CORECLR_ENABLE_PROFILING'
  ).split(' '),
);

/** The environment of a server: that of the CLI without what looks like a secret, and what its settings add. */
export function serverEnvironment(
  env: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
  onBlocked: (name: string) => void,
): NodeJS.ProcessEnv {
  // On GitHub, the real CLI lets only known variables through.
  if (env['GITHUB_SHA'] || env['SURFACE'] === 'Github')
    throw new NotSupported('MCP servers with GITHUB_SHA or SURFACE in the environment');
  const result: NodeJS.ProcessEnv = { GEMINI_CLI: '1' };
  for (const [name, value] of Object.entries(env)) if (!isSecret(name, value)) result[name] = value;
  const inherited = { ...result };
  for (const [name, value] of Object.entries(own)) {
    if (EXECUTION.has(name.toUpperCase())) onBlocked(name);
    else result[name] = expanded(value, inherited);
  }
  return result;
}

function isSecret(given: string, value = ''): boolean {
  const name = given.toUpperCase();
  if (name.startsWith('GEMINI_CLI_')) return false;
  if (SECRET_VALUES.some((pattern) => pattern.test(value.toUpperCase()))) return true;
  if (name.startsWith('GIT_CONFIG_') || ALWAYS.has(name)) return false;
  return NEVER.has(name) || SECRET_NAME.test(name);
}

/** Variables are put into settings when they are read. What is left is put in here, or is empty. */
function expanded(value: string, env: NodeJS.ProcessEnv): string {
  if (/\\\$|\$\{(?!\w+\})/.test(value)) throw new NotSupported(`an MCP server whose environment has ${value}`);
  return value.replace(/\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g, (_, braced?: string, plain?: string) => {
    return env[braced ?? plain ?? ''] ?? '';
  });
}
