# gradwatch-corpus: kind=graph-chain
# holder: room["air"] | room["wall"] | room
# first-bad: 1
# notice: 5
"""Online identification of a two-node thermal model of a room."""
import torch

torch.set_num_threads(1)
torch.manual_seed(15)

TRUE = {"ua": 0.20, "um": 0.35, "gain": 0.8}


def physics(theta, air, wall, outside, heat, dt=0.25):
    lossy = theta["ua"] * (outside - air)
    stored = theta["um"] * (wall - air)
    return air + dt * (lossy + stored + theta["gain"] * heat), wall - dt * 0.2 * stored


def measurements(hours):
    air, wall = torch.tensor(19.0), torch.tensor(18.0)
    for h in range(hours):
        outside = 6 + 4 * torch.sin(torch.tensor(h / 12.0))
        heat = torch.tensor(float(h % 6 < 3)) * 3
        air, wall = physics({k: torch.tensor(v) for k, v in TRUE.items()}, air, wall, outside, heat)
        yield outside, heat, air + 0.05 * torch.randn(())


def descend(theta, rate):
    fresh = {}
    for name, value in theta.items():
        slope = value.grad if value.grad is not None else torch.zeros(())
        fresh[name] = (value - rate * slope.clamp(-1, 1)).detach().clamp(0.01, 2.0).requires_grad_()
    return fresh


theta = {k: torch.tensor(0.5, requires_grad=True) for k in TRUE}
room = {"air": torch.tensor(19.0), "wall": torch.tensor(18.0)}
for hour, (outside, heat, reading) in enumerate(measurements(230)):
    air, wall = physics(theta, room["air"], room["wall"], outside, heat)
    miss = (air - reading) ** 2
    miss.backward(retain_graph=True)
    theta = descend(theta, 0.01)
    corrected = air + 0.3 * (reading - air)
    room.update(air=corrected, wall=wall)  # <- culprit
    if hour % 46 == 0:
        print(hour, {k: round(v.item(), 3) for k, v in theta.items()}, round(miss.item(), 4))
