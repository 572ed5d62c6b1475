const { status } = await fetch(`${process.env.BOARD_URL}/tasks`, { method: 'POST', body: 'water the plants' });
process.exitCode = status === 201 ? 0 : 1;
