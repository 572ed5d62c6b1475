/** Its stand-in wants to see a key, too. */
export const standInVariables = { KIRO_API_KEY: 'not-a-real-key' };
