import torch


def molecules(steps, batch, size=7):
    for _ in range(steps):
        atoms = torch.randint(0, 6, (batch * size,))
        owner = torch.arange(batch).repeat_interleave(size)
        a = torch.randint(0, size, (batch, 10))
        b = torch.randint(0, size, (batch, 10))
        off = torch.arange(batch)[:, None] * size
        edges = torch.stack([(a + off).flatten(), (b + off).flatten()])
        y = torch.zeros(batch).index_add(0, owner, (atoms - 2.5) * 0.3)
        yield atoms, edges, owner, y
