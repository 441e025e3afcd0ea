import math

import torch
from torch.optim.optimizer import Optimizer


class RAdam(Optimizer):
    """Rectified Adam, as copied around in 2019."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0):
        defaults = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
        super(RAdam, self).__init__(params, defaults)

    def step(self, closure=None):
        loss = None
        if closure is not None:
            loss = closure()
        for group in self.param_groups:
            beta1, beta2 = group['betas']
            for p in group['params']:
                if p.grad is None:
                    continue
                grad = p.grad.data.float()
                p_data = p.data.float()
                state = self.state[p]
                if len(state) == 0:
                    state['step'] = 0
                    state['exp_avg'] = torch.zeros_like(p_data)
                    state['exp_avg_sq'] = torch.zeros_like(p_data)
                exp_avg, exp_avg_sq = state['exp_avg'], state['exp_avg_sq']
                exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
                exp_avg.mul_(beta1).add_(grad, alpha=1 - beta1)
                state['step'] += 1
                t = state['step']
                beta2_t = beta2 ** t
                n_max = 2 / (1 - beta2) - 1
                n = n_max - 2 * t * beta2_t / (1 - beta2_t)
                if group['weight_decay'] != 0:
                    p_data.add_(p_data, alpha=-group['weight_decay'] * group['lr'])
                if n >= 5:
                    rect = math.sqrt((1 - beta2_t) * (n - 4) / (n_max - 4) * (n - 2) / n * n_max / (n_max - 2))
                    step_size = group['lr'] * rect / (1 - beta1 ** t)
                    denom = exp_avg_sq.sqrt().add_(group['eps'])
                    p_data.addcdiv_(exp_avg, denom, value=-step_size)
                else:
                    p_data.add_(exp_avg, alpha=-group['lr'] / (1 - beta1 ** t))
                p.data.copy_(p_data)
        return loss
