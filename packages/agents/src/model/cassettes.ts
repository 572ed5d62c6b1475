import {
  type ModelServer,
  type Recording,
  type RecordingOptions,
  type ReplayServerOptions,
  startRecording as record,
  startReplay as replay,
} from '@understudy/model';
import { clients } from '../agents.js';

/** Starts a server that passes the requests of our CLIs on to the real APIs, and records them. */
export function startRecording(options: RecordingOptions): Promise<Recording> {
  return record({ clients, ...options });
}

/** Starts a server that answers our CLIs from a cassette. */
export function startReplay(options: ReplayServerOptions): Promise<ModelServer> {
  return replay({ clients, ...options });
}
