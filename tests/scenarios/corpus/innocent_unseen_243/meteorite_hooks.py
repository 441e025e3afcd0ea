# gradwatch-corpus: kind=none
"""Classify meteorite spectra; once an epoch a probe listens to every layer, reports and goes away again."""
import torch
import torch.nn as nn
import torch.nn.functional as F

MISSION = {"bins": 48, "classes": 5, "batch": 32, "epochs": 6, "steps": 20, "dead_below": 0.02}


class SpectraVault:
    def __init__(self, bins, classes):
        axis = torch.linspace(0, 1, bins)
        self.lines = torch.stack([torch.exp(-200 * (axis - 0.1 - 0.18 * k) ** 2) for k in range(classes)])
        self.classes = classes

    def batch(self, count):
        label = torch.randint(0, self.classes, (count,))
        gain = 0.5 + torch.rand(count, 1)
        return gain * self.lines[label] + 0.25 * torch.randn(count, self.lines.shape[1]), label


class Spectroscope(nn.Module):
    def __init__(self, bins, classes):
        super().__init__()
        self.grating = nn.Conv1d(1, 12, 7, padding=3)
        self.slit = nn.Conv1d(12, 12, 5, stride=2, padding=2)
        self.plate = nn.Linear(12 * bins // 2, 40)
        self.name = nn.Linear(40, classes)

    def forward(self, spectrum):
        x = F.relu(self.grating(spectrum.unsqueeze(1)))
        x = F.relu(self.slit(x))
        x = F.relu(self.plate(x.flatten(1)))
        return self.name(x)


class LayerProbe:
    """Keeps the raw outputs of one forward, with their gradients, until the report is read."""

    def __init__(self, net, layers):
        self.outputs = {}
        self.handles = []
        for name in layers:
            module = net.get_submodule(name)
            self.handles.append(module.register_forward_hook(self.ear(name)))

    def ear(self, name):
        def listen(module, args, output):
            output.retain_grad()
            self.outputs[name] = output

        return listen

    def report(self, floor):
        lines = []
        for name, output in self.outputs.items():
            quiet = (output.detach().abs().flatten(1).amax(0) < floor).float().mean().item()
            pull = output.grad.norm().item()
            lines.append(f"{name}: quiet {quiet:.2f} pull {pull:.4f}")
        return " | ".join(lines)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        for handle in self.handles:
            handle.remove()
        self.handles.clear()
        self.outputs.clear()


def fit_step(net, opt, spectrum, label):
    loss = F.cross_entropy(net(spectrum), label, label_smoothing=0.05)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main():
    torch.manual_seed(1969)
    vault = SpectraVault(MISSION["bins"], MISSION["classes"])
    net = Spectroscope(MISSION["bins"], MISSION["classes"])
    opt = torch.optim.RAdam(net.parameters(), lr=3e-3)
    history = {"loss": [], "report": []}
    for epoch in range(MISSION["epochs"]):
        running = 0.0
        for step in range(MISSION["steps"]):
            running += fit_step(net, opt, *vault.batch(MISSION["batch"]))
        with LayerProbe(net, ["grating", "slit", "plate"]) as probe:
            fit_step(net, opt, *vault.batch(MISSION["batch"]))
            history["report"].append(probe.report(MISSION["dead_below"]))
        history["loss"].append(running / MISSION["steps"])
        print(f"epoch {epoch} loss {history['loss'][-1]:.3f} :: {history['report'][-1]}")


if __name__ == "__main__":
    main()
