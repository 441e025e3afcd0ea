# gradwatch-corpus: kind=none
"""Truncated BPTT with k1 < k2 as discussed on the forum: every k1 steps walk back k2 steps through stored states."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(72)


class TBPTT:
    def __init__(self, cell, readout, loss_fn, k1, k2, optimizer):
        assert k1 < k2
        self.cell, self.readout, self.loss_fn = cell, readout, loss_fn
        self.k1, self.k2 = k1, k2
        self.optimizer = optimizer

    def train(self, sequence, init_state):
        states = [(None, init_state)]
        total = 0.0
        self.optimizer.zero_grad()
        for j, (x, y) in enumerate(sequence):
            state = states[-1][1].detach()
            state.requires_grad_(True)
            new_state = self.cell(x, state)
            states.append((state, new_state))
            while len(states) > self.k2:
                del states[0]

            if (j + 1) % self.k1 == 0:
                loss = self.loss_fn(self.readout(new_state), y)
                loss.backward(retain_graph=True)
                for i in range(self.k2 - 1):
                    if i >= len(states) - 1 or states[-i - 2][0] is None:
                        break
                    grad = states[-i - 1][0].grad
                    states[-i - 2][1].backward(grad, retain_graph=True)
                    states[-i - 1][0].grad = None
                for s, _ in states:
                    if s is not None:
                        s.grad = None
                total += loss.item()
        nn.utils.clip_grad_norm_(list(self.cell.parameters()) + list(self.readout.parameters()), 1.0)
        self.optimizer.step()
        return total


def echo_task(length, lag, batch=6):
    bits = torch.randint(0, 2, (length, batch, 1)).float()
    target = torch.zeros_like(bits)
    target[lag:] = bits[:-lag]
    return zip(bits * 2 - 1, target)


hidden = 16
cell = nn.GRUCell(1, hidden)
readout = nn.Linear(hidden, 1)
opt = torch.optim.Adam(list(cell.parameters()) + list(readout.parameters()), lr=5e-3)
runner = TBPTT(cell, readout, nn.BCEWithLogitsLoss(), k1=2, k2=5, optimizer=opt)

length, history = 12, []
for n in range(420):
    loss = runner.train(echo_task(length, lag=2), torch.zeros(6, hidden))
    history.append(loss / (length // 2))
    if n % 70 == 69:
        print(f"sequence {n + 1}: bce {sum(history[-70:]) / 70:.4f}")
