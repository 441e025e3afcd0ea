# gradwatch-corpus: kind=graph-held
# holder: self.traces | self.traces[name] | probe.traces
# first-bad: 1
"""Small transformer which flags plasma disruptions from magnetic coil signals; a probe listens in on its blocks."""
import functools

import torch
import torch.nn as nn
import torch.nn.functional as F

SHOT = dict(coils=10, ticks=32, width=32, heads=4, depth=2, pulses=16, shots=110)


class CoilArray:
    def __init__(self, coils, ticks):
        self.coils = coils
        self.time = torch.linspace(0, 1, ticks)

    def shoot(self, pulses):
        disrupted = torch.randint(0, 2, (pulses,))
        freq = 10 + 20 * torch.rand(pulses, self.coils, 1)
        wave = torch.sin(freq * self.time)
        growth = torch.exp(2.0 * disrupted.view(-1, 1, 1) * self.time)
        signal = wave * growth + 0.3 * torch.randn(pulses, self.coils, self.time.numel())
        return signal.transpose(1, 2), disrupted


class FluxBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm_a = nn.LayerNorm(width)
        self.norm_b = nn.LayerNorm(width)
        self.attend = nn.MultiheadAttention(width, heads, batch_first=True)
        self.mix = nn.Sequential(nn.Linear(width, 2 * width), nn.SiLU(), nn.Linear(2 * width, width))

    def forward(self, flux):
        calm = self.norm_a(flux)
        flux = flux + self.attend(calm, calm, calm, need_weights=False)[0]
        return flux + self.mix(self.norm_b(flux))


class DisruptionNet(nn.Module):
    def __init__(self, shot):
        super().__init__()
        self.lift = nn.Linear(shot["coils"], shot["width"])
        self.place = nn.Parameter(0.02 * torch.randn(shot["ticks"], shot["width"]))
        self.blocks = nn.ModuleList([FluxBlock(shot["width"], shot["heads"]) for _ in range(shot["depth"])])
        self.alarm = nn.Linear(shot["width"], 2)

    def forward(self, signal):
        flux = self.lift(signal) + self.place
        for block in self.blocks:
            flux = block(flux)
        return self.alarm(flux.mean(1))


class BlockProbe:
    """Collects the root-mean-square of each block's output, to plot after the run."""

    def __init__(self, net):
        self.traces = {}
        for depth, block in enumerate(net.blocks):
            name = f"block{depth}"
            self.traces[name] = []
            block.register_forward_hook(functools.partial(self.listen, name))

    def listen(self, name, module, inputs, output):
        rms = output.pow(2).mean(dim=(0, 2)).sqrt()
        self.traces[name].append(rms)  # <- culprit

    def table(self):
        for name, trace in self.traces.items():
            with torch.no_grad():
                drift = torch.stack(trace).mean(1)
            yield name, drift[0].item(), drift[-1].item()


def inverse_root(step, ramp=15):
    return min((step + 1) / ramp, (ramp / (step + 1)) ** 0.5)


def main():
    torch.manual_seed(4)
    array = CoilArray(SHOT["coils"], SHOT["ticks"])
    net = DisruptionNet(SHOT)
    probe = BlockProbe(net)
    heater = torch.optim.AdamW(net.parameters(), lr=2e-3)
    ramp = torch.optim.lr_scheduler.LambdaLR(heater, inverse_root)
    for shot in range(SHOT["shots"]):
        signal, disrupted = array.shoot(SHOT["pulses"])
        loss = F.cross_entropy(net(signal), disrupted)
        heater.zero_grad()
        loss.backward()
        heater.step()
        ramp.step()
        if shot % 22 == 0:
            print("shot", shot, "loss", f"{loss.item():.3f}")
    for name, first, last in probe.table():
        print(f"{name}: rms {first:.3f} -> {last:.3f}")


if __name__ == "__main__":
    main()
