import { UnderstudyError } from '@understudy/kit';
import type { RunResult } from '../../results/run-result.js';
import { readLogs } from '../html/read-logs.js';
import { tracesOf } from './spans.js';

const PATH = '/v1/traces';
const TIMEOUT_MS = 10_000;

export interface SendOptions {
  /** Where the logs of the run are. */
  folder: string;
  environment: NodeJS.ProcessEnv;
}

/**
 * Sends a run as traces to a collector. `endpoint` is its address, with or without the path. Prompts and answers stay
 * here, unless the variable of OpenTelemetry asks for them.
 */
export async function sendTraces(run: RunResult, endpoint: string, options: SendOptions): Promise<void> {
  const { folder, environment } = options;
  const url = addressOf(endpoint);
  const traces = tracesOf(run, {
    eventsOf: (entry) => readLogs(entry, folder).events,
    withContent: environment['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'] === 'true',
  });
  let problem: string;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(environment['OTEL_EXPORTER_OTLP_HEADERS']) },
      body: JSON.stringify(traces),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // Who is asked to go elsewhere would take the keys along.
      redirect: 'error',
    });
    if (response.ok) return;
    problem = `it answered ${response.status}`;
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    problem = cause?.message ?? message;
  }
  throw new UnderstudyError('TRACES_NOT_SENT', `the traces did not reach ${url.origin}: ${problem}`, {
    fix: 'Check the address after `--reporter otlp=`, and that a collector for OTLP over HTTP answers there.',
  });
}

function addressOf(endpoint: string): URL {
  const url = new URL(endpoint);
  if (!url.pathname.endsWith(PATH)) url.pathname = `${url.pathname.replace(/\/$/, '')}${PATH}`;
  return url;
}

/** `name=value,name=value`, percent-encoded, as OpenTelemetry has it. */
function headersOf(text = ''): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.trim().split('='))
      .filter(([name, ...rest]) => name !== '' && rest.length > 0)
      .map(([name = '', ...rest]) => [name, decoded(rest.join('='))]),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
