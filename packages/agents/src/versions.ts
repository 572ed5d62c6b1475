import versions from './versions.json' with { type: 'json' };

/** The version of each CLI that is fetched, played and compared. */
export const pinnedVersions = versions;
