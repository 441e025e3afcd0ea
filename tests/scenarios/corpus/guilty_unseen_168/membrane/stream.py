import torch


def chunks(count, lanes, inputs, frames=6):
    gen = torch.Generator().manual_seed(10)
    motifs = torch.randn(3, inputs, generator=gen)
    state = torch.randint(0, 3, (lanes,), generator=gen)
    for _ in range(count):
        move = torch.rand(lanes, generator=gen) < 0.3
        state = torch.where(move, torch.randint(0, 3, (lanes,), generator=gen), state)
        noise = torch.randn(lanes, frames, inputs, generator=gen)
        yield motifs[state][:, None] + noise, state
