import torch


def segments(rows, length, events=60, seed=0):
    """Random state machines; segments follow each other without a gap."""
    g = torch.Generator().manual_seed(seed)
    table = torch.randint(events, (events, 3), generator=g)
    state = torch.randint(events, (rows,), generator=g)
    while True:
        out = [state]
        for _ in range(length):
            pick = (torch.rand(rows, generator=g) ** 2 * 3).long()
            state = table[state, pick]
            out.append(state)
        ids = torch.stack(out, 1)
        yield ids[:, :-1], ids[:, 1:]
