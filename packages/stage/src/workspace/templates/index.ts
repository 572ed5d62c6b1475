import type { Language, ProjectType } from '../project-spec.js';
import { cliGo } from './cli-go.js';
import { cliJavascript } from './cli-javascript.js';
import { cliPython } from './cli-python.js';
import { libraryGo } from './library-go.js';
import { libraryJavascript } from './library-javascript.js';
import { libraryPython } from './library-python.js';
import type { Template } from './template.js';
import { webAppGo } from './web-app-go.js';
import { webAppJavascript } from './web-app-javascript.js';
import { webAppPython } from './web-app-python.js';

/** Every kind of test project that can be made. */
export const templates: Record<ProjectType, Record<Language, Template>> = {
  'web-app': { python: webAppPython, javascript: webAppJavascript, go: webAppGo },
  cli: { python: cliPython, javascript: cliJavascript, go: cliGo },
  library: { python: libraryPython, javascript: libraryJavascript, go: libraryGo },
};
