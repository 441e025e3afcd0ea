# gradwatch-corpus: kind=graph-held
# holder: self.rates | probe.rates | probe.rates[name]
# first-bad: 1
import torch

from population import PopulationCode
from probes import LayerProbe
from stimuli import GratingSession


def fit(code, session, probe, n_trials):
    opt = torch.optim.AdamW(code.parameters(), lr=3e-3, weight_decay=1e-4)
    history = {"loss": [], "error_deg": []}
    for trial in range(n_trials):
        image, angle = session.present()
        pred = code(image)
        target = torch.stack([torch.cos(2 * angle), torch.sin(2 * angle)], dim=-1)
        sparsity = code.last_rate_cost
        loss = ((pred - target) ** 2).mean() + 1e-3 * sparsity
        opt.zero_grad(set_to_none=True)
        loss.backward()
        code.last_rate_cost = 0.0
        opt.step()
        with torch.no_grad():
            guess = 0.5 * torch.atan2(pred[:, 1], pred[:, 0])
            diff = torch.remainder(guess - angle + torch.pi / 2, torch.pi) - torch.pi / 2
            history["error_deg"].append(torch.rad2deg(diff.abs().mean()).item())
        history["loss"].append(loss.item())
    return history


if __name__ == "__main__":
    torch.manual_seed(1962)
    session = GratingSession(size=12, batch=32, contrast=0.8, seed=2)
    code = PopulationCode(size=12, n_simple=40, n_complex=20)
    probe = LayerProbe(code, ["simple", "complex"])
    history = fit(code, session, probe, n_trials=120)
    print("error", round(history["error_deg"][0], 2), "->", round(history["error_deg"][-1], 2))
    for name, value in probe.summary().items():
        print(name, value)
