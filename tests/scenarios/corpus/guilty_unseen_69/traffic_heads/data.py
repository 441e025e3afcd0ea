import torch


def detectors(steps, batch=32, sensors=10, lags=12):
    """Smooth daily curves with noise, cut at random times of the day."""
    phase = torch.rand(sensors) * 0.6
    for _ in range(steps):
        start = torch.rand(batch, 1, 1) * 6.28
        t = start + 0.1 * torch.arange(lags + 1).view(1, 1, -1)
        curve = torch.sin(t + phase.view(1, -1, 1)) + 0.1 * torch.randn(batch, sensors, lags + 1)
        history, following = curve[..., :-1], curve[..., -1]
        yield {
            "history": history,
            "next": following,
            "jam": (following > 0.7).float(),
            "trend": (following - history[..., -4]).mean(1),
        }
