import torch


def catchment(hours, stations, seed):
    rng = torch.Generator().manual_seed(seed)
    burst = (torch.rand(hours, stations, generator=rng) < 0.04).float()
    rain = burst * torch.rand(hours, stations, generator=rng) * 3
    fast, slow = torch.zeros(stations), torch.zeros(stations)
    level = torch.empty(hours, stations)
    for h in range(hours):
        fast = 0.8 * fast + rain[h]
        slow = 0.98 * slow + 0.2 * fast
        level[h] = 0.3 * fast + 0.1 * slow
    return rain, (level - level.mean()) / level.std()


def windows(rain, level, size):
    """Consecutive (inputs, target) pairs, batch first; the target is the level one hour later."""
    for start in range(0, len(rain) - size, size):
        stop = start + size
        inputs = torch.stack([rain[start:stop], level[start:stop]], dim=-1).transpose(0, 1)
        yield inputs, level[start + 1:stop + 1].transpose(0, 1)
