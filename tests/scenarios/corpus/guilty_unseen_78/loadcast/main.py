# gradwatch-corpus: kind=graph-chain
# holder: self.current | self.level.current | model.level.current | level.current | level
# first-bad: 1
# notice: 5
"""Short-horizon electricity load forecast: level + season + weather regression."""
import torch

from components import LoadModel
from feed import LoadFeed


def fit(model: LoadModel, feed: LoadFeed, lr: float = 5e-3) -> list:
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    curve = []
    for hour, weather, load in feed:
        forecast = model(hour, weather)
        loss = torch.nn.functional.huber_loss(forecast, load)
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.assimilate(hour, load - forecast)
        curve.append(loss.detach())
    return curve


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(4)
    feed = LoadFeed(hours=180, zones=6, weather_dim=5, sites=12)
    model = LoadModel(zones=6, weather_dim=5)
    curve = torch.stack(fit(model, feed))
    for day, chunk in enumerate(curve.split(24)):
        print(f"day {day}: huber {chunk.mean().item():.4f}")
    print("mean drift", model.level.drift.mean().item())


if __name__ == "__main__":
    main()
