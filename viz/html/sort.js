// Tables whose rows a click on the name of a column sorts: numbers descending, texts ascending.
function sortBy(table, column) {
  const body = table.tBodies[0];
  const key = row => {
    const cell = row.cells[column];
    return cell.dataset.order === undefined ? cell.textContent : Number(cell.dataset.order);
  };
  const before = (a, b) => {
    const x = key(a);
    const y = key(b);
    return typeof x === 'number' ? y - x : x.localeCompare(y, undefined, { numeric: true });
  };
  body.append(...[...body.rows].sort(before));
}

for (const table of document.querySelectorAll('table.sorted'))
  [...table.tHead.rows[0].cells].forEach((cell, column) => {
    const button = document.createElement('button');
    button.append(...cell.childNodes);
    button.addEventListener('click', () => sortBy(table, column));
    cell.append(button);
  });
