# gradwatch-corpus: kind=graph-chain
# holder: state | ear | ear.gi_frame.f_locals["state"]
# first-bad: 1
# notice: 5
"""Which of five vowels is being sung? A fixed random reservoir listens to a
never-ending stream of synthetic formant frames; the antenna (input projection)
and the decision layer are trained while it plays."""
import itertools
import math

import torch

torch.set_num_threads(1)
torch.manual_seed(77)

SR = 4000
FRAME = 64
HOP_FRAMES = 3
UNITS = 96
LANES = 8          # singers in parallel
FORMANTS = torch.tensor([[730., 1090.], [270., 1290.], [300., 870.],
                         [530., 1840.], [570., 840.]])


def sing(labels, t0):
    """labels: (lanes,), returns (HOP_FRAMES, lanes, FRAME) waveforms."""
    t = (t0 + torch.arange(HOP_FRAMES * FRAME)) / SR
    f = FORMANTS[labels]
    wave = (torch.sin(2 * math.pi * f[:, :1] * t)
            + 0.6 * torch.sin(2 * math.pi * f[:, 1:] * t))
    wave = wave + 0.3 * torch.randn_like(wave)
    return wave.view(len(labels), HOP_FRAMES, FRAME).transpose(0, 1)


def spectrum(frames):
    win = torch.hann_window(FRAME)
    return torch.log1p(torch.fft.rfft(frames * win).abs())


def reservoir_matrix(n, radius=0.85, density=0.12):
    w = torch.randn(n, n) * (torch.rand(n, n) < density)
    return w * (radius / torch.linalg.eigvals(w).abs().max())


def listener(antenna, w_res, lanes):
    """Send in a block of spectra, get back the echo after it."""
    state = torch.zeros(lanes, w_res.shape[0])
    block = yield state
    while True:
        for frame in block:
            drive = antenna(frame)
            state = 0.6 * state + 0.4 * torch.tanh(drive + state @ w_res)  # <- culprit
        block = yield state  # <- culprit


antenna = torch.nn.Linear(FRAME // 2 + 1, UNITS)
decide = torch.nn.Linear(UNITS, len(FORMANTS))
# the decision layer is the cheap part, so it gets its own closed-form-like
# delta rule; only the antenna goes through torch.optim
opt = torch.optim.Adam(antenna.parameters(), lr=3e-3)

W = reservoir_matrix(UNITS)
ear = listener(antenna, W, LANES)
next(ear)

hits = total = 0
clock = 0
labels = torch.randint(0, 5, (LANES,))
for step in itertools.count():
    if step == 160:
        break
    change = torch.rand(LANES) < 0.35
    labels = torch.where(change, torch.randint(0, 5, (LANES,)), labels)
    wave = sing(labels, clock)
    clock += HOP_FRAMES * FRAME

    echo = ear.send(spectrum(wave))
    weight, bias = decide.weight.detach().clone(), decide.bias.detach().clone()
    logits = echo @ weight.t() + bias
    loss = torch.nn.functional.cross_entropy(logits, labels)

    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()

    with torch.no_grad():
        err = torch.nn.functional.one_hot(labels, 5).float() - logits.softmax(1)
        decide.weight += 0.1 * err.t() @ echo / LANES
        decide.bias += 0.1 * err.mean(0)

    guess = logits.argmax(1)
    hits += (guess == labels).sum().item()
    total += LANES
    if step % 40 == 39:
        print(f"after {step + 1:4d} blocks: {100 * hits / total:5.1f}% right, loss {loss.item():.3f}")
        hits = total = 0

ear.close()
