/** What is wrong with a script that calls a tool which the request to the model does not offer. */
export function toolNotOffered(
  rulePath: string,
  tool: string,
  offered: readonly string[],
): { message: string; fix: string } {
  return {
    message: `${rulePath} calls the tool ${JSON.stringify(tool)}, which this request does not offer`,
    fix:
      offered.length === 0
        ? 'The request offers no tools at all.'
        : `Use one of the tools that it offers: ${offered.join(', ')}. If the model is to call it all the same, say \`offered = false\`.`,
  };
}
