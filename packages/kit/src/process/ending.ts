/** How a recorder of ours calls itself once it was asked to end: its CLI may need a moment for that. */
export const ENDING_NAME = 'understudy-ending';
