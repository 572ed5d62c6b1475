/** Properties that visual feedback speaks about; longer names first, so that `border-radius` is not read as `border`. */
export const CSS_PROPERTIES: readonly string[] = [
  ...['padding-top', 'padding-right', 'padding-bottom', 'padding-left', 'padding-inline', 'padding-block', 'padding'],
  ...['margin-top', 'margin-right', 'margin-bottom', 'margin-left', 'margin-inline', 'margin-block', 'margin'],
  ...['border-radius', 'border-width', 'border-color', 'border-style', 'border-top', 'border-right', 'border-bottom'],
  ...['border-left', 'border', 'outline-offset', 'outline'],
  ...['background-color', 'background-image', 'background-size', 'background', 'color', 'opacity', 'box-shadow'],
  ...['font-size', 'font-weight', 'font-family', 'font-style', 'line-height', 'letter-spacing', 'word-spacing'],
  ...['text-align', 'text-decoration', 'text-transform', 'text-indent', 'text-shadow', 'white-space'],
  ...['min-width', 'max-width', 'min-height', 'max-height', 'width', 'height', 'aspect-ratio', 'object-fit'],
  ...['row-gap', 'column-gap', 'gap', 'grid-template-columns', 'grid-template-rows', 'grid-template', 'grid-area'],
  ...['flex-direction', 'flex-wrap', 'flex-grow', 'flex-shrink', 'flex-basis', 'flex', 'order'],
  ...['justify-content', 'justify-items', 'align-items', 'align-content', 'align-self', 'place-items'],
  ...['top', 'right', 'bottom', 'left', 'inset', 'position', 'display', 'overflow', 'z-index', 'float'],
  ...['transform', 'transition', 'animation', 'filter', 'cursor', 'visibility', 'list-style', 'vertical-align'],
];

/** What people call such things when they do not write CSS. */
export const VISUAL_WORDS: readonly string[] = [
  ...['spacing', 'space', 'size', 'sized', 'radius', 'corner', 'corners', 'contrast', 'weight', 'indent', 'offset'],
  ...[
    'gutter',
    'column',
    'columns',
    'row',
    'rows',
    'shadow',
    'stroke',
    'thickness',
    'wide',
    'tall',
    'high',
    'baseline',
  ],
  ...['heading', 'headline', 'title', 'button', 'icon', 'label', 'card', 'header', 'footer', 'sidebar', 'font', 'text'],
  ...['colour', 'colours', 'colors', 'edge', 'edges', 'aligned', 'alignment', 'ratio'],
];
