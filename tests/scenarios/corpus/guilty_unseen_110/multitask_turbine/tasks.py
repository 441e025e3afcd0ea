import torch
import torch.nn.functional as F

TASKS = {"power": 1, "vibration": 2, "fault": 3}


def make_data(n, d=12):
    """Synthetic SCADA rows: wind, pitch, temperatures ..."""
    x = torch.randn(n, d)
    wind = x[:, 0]
    power = torch.sigmoid(2 * wind - x[:, 1]).unsqueeze(1) * 20
    vib = torch.stack([x[:, 2] * x[:, 3], (wind + x[:, 4]).abs()], 1)
    fault = (vib.sum(1) > 1.5).long() + (x[:, 5] > 1).long()
    return x, {"power": power, "vibration": vib, "fault": fault}


def task_losses(out, targets):
    return {
        "power": F.smooth_l1_loss(out["power"], targets["power"]),
        "vibration": F.mse_loss(out["vibration"], targets["vibration"]),
        "fault": F.cross_entropy(out["fault"], targets["fault"]),
    }
