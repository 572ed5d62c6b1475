import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';

/** What is published: an entry of `exports` that has types. */
const ENTRIES = {
  'agent-understudy': 'index',
  'agent-understudy/assert': 'assert/index',
  'agent-understudy/checks': 'checks/index',
  'agent-understudy/model-server': 'model-server/index',
  'agent-understudy/vitest': 'vitest/index',
  'agent-understudy/vitest/plugin': 'vitest/plugin',
  'agent-understudy/workspace': 'workspace/index',
};

export interface ApiMember {
  kind: string;
  name?: string;
  docComment?: string;
  excerptTokens?: { text: string }[];
  members?: ApiMember[];
}

export interface Api {
  entry: string;
  /** For reviews: what changes in it changes the API. */
  report: string;
  exports: readonly ApiMember[];
}

/** Reads the API from the types of the build. */
export function extractApi(folder: string): Api[] {
  const configs = Object.entries(ENTRIES).map(([entry, file]) => ({ entry, config: configFor(entry, file, folder) }));
  const [first, ...others] = configs.map(({ config }) => config);
  if (first === undefined) throw new Error('there are no entries');
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  return configs.map(({ entry, config }) => {
    const messageCallback = (message: { handled: boolean; logLevel: string; text: string }) => {
      message.handled = true;
      if (message.logLevel === 'error') throw new Error(message.text);
    };
    Extractor.invoke(config, { compilerState, localBuild: true, messageCallback });
    const [{ members: exports = [] } = {}] = (
      JSON.parse(readFileSync(config.apiJsonFilePath, 'utf8')) as { members: { members?: ApiMember[] }[] }
    ).members;
    const [report = ''] = config.reportConfigs.map(({ fileName }) => join(config.reportFolder, fileName));
    return { entry, report: readFileSync(report, 'utf8'), exports };
  });
}

function configFor(entry: string, file: string, folder: string): ExtractorConfig {
  const own = join(folder, entry.replaceAll('/', '-'));
  mkdirSync(own, { recursive: true });
  const types = resolve(`dist/${file}.d.ts`);
  const silent = { default: { logLevel: 'none' as never } };
  const compilerOptions = {
    ...{ target: 'ES2023', module: 'NodeNext', moduleResolution: 'NodeNext' },
    ...{ strict: true, skipLibCheck: true, types: ['node'] },
  };
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: resolve('.'),
      mainEntryPointFilePath: types,
      compiler: {
        overrideTsconfig: { compilerOptions, files: Object.values(ENTRIES).map((name) => `dist/${name}.d.ts`) },
      },
      apiReport: { enabled: true, reportFileName: 'report', reportFolder: own, reportTempFolder: join(own, 'temp') },
      docModel: { enabled: true, apiJsonFilePath: join(own, 'api.json') },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: silent,
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: resolve('package.json'),
  });
}
