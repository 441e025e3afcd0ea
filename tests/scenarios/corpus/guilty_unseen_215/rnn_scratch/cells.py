import torch


def get_params(vocab, hidden):
    def normal(*shape):
        return torch.randn(*shape) * 0.05

    W_xh, W_hh, b_h = normal(vocab, hidden), normal(hidden, hidden), torch.zeros(hidden)
    W_hq, b_q = normal(hidden, vocab), torch.zeros(vocab)
    params = [W_xh, W_hh, b_h, W_hq, b_q]
    for p in params:
        p.requires_grad_(True)
    return params


def rnn(inputs, state, params):
    W_xh, W_hh, b_h, W_hq, b_q = params
    H = state
    outputs = []
    for X in inputs:
        H = torch.tanh(X @ W_xh + H @ W_hh + b_h)
        outputs.append(H @ W_hq + b_q)
    return torch.cat(outputs, 0), H
