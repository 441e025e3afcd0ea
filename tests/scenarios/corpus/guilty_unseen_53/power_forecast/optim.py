from torch.optim.optimizer import Optimizer


class MomentumSGD(Optimizer):
    def __init__(self, params, lr=0.01, momentum=0.9):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data
                state = self.state[p]
                if "buf" not in state:
                    state["buf"] = d_p.clone()
                else:
                    state["buf"].mul_(group["momentum"]).add_(d_p)
                p.data.add_(state["buf"], alpha=-group["lr"])
