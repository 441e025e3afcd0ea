import torch


def walk(ant, rollout, travel_cost=0.4):
    """Endless foraging. A patch gives less and less; leaving costs time."""
    rich, stay = torch.rand(()).item() + 0.5, 0
    last = 0.0
    while True:
        obs = torch.tensor([last, stay / 10, 1.0])
        action, logp, entropy, value = ant.decide(obs)
        if action == 0:
            last = rich * 0.8 ** stay + 0.02 * torch.randn(()).item()
            stay += 1
        else:
            rich, stay = torch.rand(()).item() + 0.5, 0
            last = -travel_cost
        rollout.push(last, logp, entropy, value)
        yield obs, last
