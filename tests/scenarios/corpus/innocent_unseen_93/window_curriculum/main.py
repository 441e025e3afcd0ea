# gradwatch-corpus: kind=none
import torch

from cell import Integrator
from curriculum import Windows
from series import power_load

torch.set_num_threads(1)


def run():
    torch.manual_seed(99)
    stream = power_load(steps=420, meters=8)
    model = Integrator(n_in=4, n_state=12)
    opt = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    windows = Windows([2, 4, 8, 16, 32], steps_each=70)
    state = model.blank(8)
    recent = []
    for t, (x, y) in enumerate(stream):
        if windows.boundary(t):
            state = state.detach()
        out, state = model(x, state)
        loss = torch.nn.functional.smooth_l1_loss(out, y)
        opt.zero_grad()
        # the states inside the window are gone through again at the next step
        loss.backward(retain_graph=True)
        opt.step()
        recent.append(loss.item())
        if t % 70 == 69:
            print(f"step {t + 1:4d} window {windows.current(t):2d} "
                  f"loss {sum(recent) / len(recent):.4f}")
            recent.clear()


if __name__ == "__main__":
    run()
