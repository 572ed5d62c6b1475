import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { validateXML } from 'xmllint-wasm';

const JUNIT = readFileSync(new URL('./junit.xsd', import.meta.url), 'utf8');
const CTRF = readFileSync(new URL('../../node_modules/ctrf/dist/ctrf-schema-0.0.json', import.meta.url), 'utf8');
let validateCtrf: ReturnType<Ajv['compile']> | undefined;

/** What is wrong with a JUnit report; nothing when it is valid. */
export async function junitProblems(xml: string): Promise<string[]> {
  const { errors } = await validateXML({ xml, schema: JUNIT });
  return errors.map(({ rawMessage }) => rawMessage);
}

/** What is wrong with a CTRF report; nothing when it is valid. */
export function ctrfProblems(json: string): string[] {
  validateCtrf ??= new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(CTRF));
  validateCtrf(JSON.parse(json));
  return (validateCtrf.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
