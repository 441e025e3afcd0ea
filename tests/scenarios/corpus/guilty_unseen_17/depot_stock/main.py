# gradwatch-corpus: kind=graph-chain
# holder: self.level | self.trend.level | model.trend.level | trend.level | model.level
# first-bad: 1
"""Weekly outbound volume of twelve depots: Holt-type level and trend with a small network for the
calendar effects, trained online as the weeks come in."""
from registry import build
import losses  # noqa: F401  (registers the losses)
import network  # noqa: F401  (registers the models)
from weeks import WeekStream

import torch

CONFIG = {
    "model": {"kind": "holt_net", "depots": 12, "features": 6, "hidden": 24, "gain": 0.2},
    "loss": {"kind": "scaled_huber", "delta": 1.0},
    "weeks": 312,
    "seed": 2,
}


def fit(config):
    torch.manual_seed(config["seed"])
    model = build("model", config["model"])
    criterion = build("loss", config["loss"])
    optimizer = torch.optim.Adam(
        [
            {"params": model.calendar.parameters(), "lr": 3e-3},
            {"params": model.trend.parameters(), "lr": 1e-4},
        ]
    )
    stream = WeekStream(config["model"]["depots"], config["weeks"], seed=17)
    recent = 0.0
    for week, features, volume in stream:
        optimizer.zero_grad()
        forecast = model(features)
        loss = criterion(forecast, volume)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        model.correct(forecast, volume)
        recent += (loss.item() - recent) / min(week + 1, 26)
        if week % 52 == 51:
            print(f"year {week // 52 + 1}: loss of the last half year {recent:.4f}")
    return model


if __name__ == "__main__":
    fitted = fit(CONFIG)
    slope = fitted.trend.slope.detach()
    print("weekly growth per depot:", [round(v, 3) for v in slope.tolist()])
