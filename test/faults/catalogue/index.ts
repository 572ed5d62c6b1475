import type { Catalogue } from '../fault.js';
import { marketplacePlugins } from './marketplace-plugins.js';
import { marketplaceScripts } from './marketplace-scripts.js';
import { toolboxPlugins } from './toolbox-plugins.js';
import { toolboxRehearsals } from './toolbox-rehearsals.js';
import { toolboxSession } from './toolbox-session.js';
import { toolboxTold } from './toolbox-told.js';

/** Everything that is planted, by subject. */
export const catalogues: readonly Catalogue[] = [
  marketplacePlugins,
  marketplaceScripts,
  toolboxPlugins,
  toolboxRehearsals,
  toolboxSession,
  toolboxTold,
];
