export const asking = ['exec', 'e', 'review'];
