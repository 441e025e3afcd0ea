# gradwatch-corpus: kind=inplace-modified
# holder: frames | frames[:, PAST + t] | window
# first-bad: 60
"""Lab 5: nowcasting rain by rolling a small network forward. We first train one step ahead, then lengthen the
rollout once the network has learnt to copy and shift."""
import torch
import torch.nn as nn

PAST = 3
SIZE = 20


def make_network(width=12):
    return nn.Sequential(
        nn.Conv2d(PAST, width, 5, padding=2), nn.ReLU(),
        nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
        nn.Conv2d(width, 1, 3, padding=1), nn.Sigmoid(),
    )


def rain_cells(n, length, gen):
    """A film of `length` frames with one drifting, slowly decaying cell of rain."""
    axis = torch.arange(SIZE).float()
    centre = SIZE * (0.25 + 0.5 * torch.rand(n, 2, generator=gen))
    drift = 0.8 * torch.randn(n, 2, generator=gen)
    film = []
    for t in range(length):
        at = centre + t * drift
        gx = torch.exp(-((axis - at[:, :1]) ** 2) / 10)
        gy = torch.exp(-((axis - at[:, 1:]) ** 2) / 10)
        film.append(0.97 ** t * gy[:, :, None] * gx[:, None, :])
    return torch.stack(film, dim=1)


def rollout(net, past, horizon):
    """Predicts `horizon` frames; each prediction becomes an input of the next."""
    n = past.shape[0]
    frames = torch.cat([past, past.new_zeros(n, horizon - 1, SIZE, SIZE)], dim=1)
    predictions = []
    for t in range(horizon):
        window = frames[:, t:t + PAST]
        prediction = net(window)[:, 0]
        predictions.append(prediction)
        if t < horizon - 1:
            frames[:, PAST + t] = prediction  # <- culprit
    return torch.stack(predictions, dim=1)


def horizon_at(step):
    """The schedule of the lesson: 1 frame, then 2, then 3."""
    return 1 + (step >= 60) + (step >= 140)


def discounted_error(prediction, truth, gamma=0.8):
    weight = gamma ** torch.arange(prediction.shape[1]).float()
    error = (prediction - truth).square().mean(dim=(0, 2, 3))
    return (weight * error).sum() / weight.sum()


@torch.no_grad()
def persistence_error(past, truth):
    """What one gets by repeating the last frame: the number to beat."""
    return discounted_error(past[:, -1:].expand_as(truth), truth).item()


def train(steps=240, batch=4):
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(5)
    net = make_network()
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for step in range(steps):
        horizon = horizon_at(step)
        film = rain_cells(batch, PAST + horizon, gen)
        past, future = film[:, :PAST], film[:, PAST:]
        loss = discounted_error(rollout(net, past, horizon), future)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 19:
            print(f"step {step + 1}: {loss.item():.5f} "
                  f"(horizon {horizon}, persistence {persistence_error(past, future):.5f})")
    return net


if __name__ == "__main__":
    train()
