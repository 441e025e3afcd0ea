# gradwatch-corpus: kind=none
"""Fit a recurrent rate network to lick decisions and record its dynamics."""
import torch

from network import RateNetwork
from recorder import UnitRecorder
from task import GoNoGo


def run_session(net, task, opt, recorder, trials):
    errors = []
    for trial in range(trials):
        stimulus, lick = task.batch()
        logit, rates = net(stimulus)
        nll = torch.nn.functional.binary_cross_entropy_with_logits(logit, lick)
        loss = nll + 1e-3 * rates.square().mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        errors.append(nll.item())
    return sum(errors[-10:]) / len(errors[-10:])


def main():
    torch.manual_seed(90)
    task = GoNoGo(n_steps=12, batch=24, seed=6)
    net = RateNetwork(2, 24)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    reports = []
    for session in range(5):
        with UnitRecorder(net.readout, every=2) as recorder:
            nll = run_session(net, task, opt, recorder, trials=28)
            reports.append((nll, recorder.dimensionality()))
    for session, (nll, dim) in enumerate(reports):
        print(f"session {session}  nll {nll:.4f}  participation ratio {dim:.2f}")


if __name__ == "__main__":
    main()
