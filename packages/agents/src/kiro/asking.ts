export const asking = ['chat'];
