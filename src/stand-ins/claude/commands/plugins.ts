import type { Command } from './command.js';
import { installPlugin } from './install-plugin.js';
import { disablePlugin, enablePlugin, uninstallPlugin, updatePlugin } from './installed-plugin.js';
import { listPlugins } from './list-plugins.js';
import { addMarketplace, listMarketplaces, removeMarketplace, updateMarketplace } from './marketplaces.js';

/** `claude plugin …` */
export const PLUGIN_COMMANDS: Record<string, Command> = {
  install: installPlugin,
  i: installPlugin,
  uninstall: uninstallPlugin,
  remove: uninstallPlugin,
  enable: enablePlugin,
  disable: disablePlugin,
  update: updatePlugin,
  list: listPlugins,
};

/** `claude plugin marketplace …` */
export const MARKETPLACE_COMMANDS: Record<string, Command> = {
  add: addMarketplace,
  list: listMarketplaces,
  remove: removeMarketplace,
  rm: removeMarketplace,
  update: updateMarketplace,
};
