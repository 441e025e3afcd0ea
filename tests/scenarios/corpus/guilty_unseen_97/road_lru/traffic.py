import torch


def district_hours(steps, districts=26, junctions=9):
    gen = torch.Generator().manual_seed(62)
    mix = torch.softmax(torch.randn(districts, junctions, junctions, generator=gen), -1)
    order = torch.randint(0, districts, (steps,), generator=gen).tolist()
    for d in order:
        now = 30 + 10 * torch.randn(junctions, generator=gen)
        later = torch.linalg.matrix_power(mix[d], 2) @ now
        yield d, now / 30, later / 30
