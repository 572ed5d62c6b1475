import { serverConfigSchema } from '@understudy/stage';
import * as z from 'zod';

/** An entry of a `.mcp.json`, without its fields: the model that reads the schema knows what it looks like. */
export const writtenServerConfig = z.record(z.string(), z.unknown()).pipe(serverConfigSchema);
