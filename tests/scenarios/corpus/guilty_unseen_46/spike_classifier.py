# gradwatch-corpus: kind=graph-held
# holder: SurrGradSpike.potentials | potentials
# first-bad: 1
# Surrogate gradient learning in spiking networks (after Zenke's spytorch
# notebook no. 1). Global variables as in the notebook.
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
np.random.seed(0)

nb_inputs = 40
nb_hidden = 16
nb_outputs = 2
time_step = 1e-3
nb_steps = 25
batch_size = 48
nb_batches_per_epoch = 15
nb_epochs = 5
alpha = float(np.exp(-time_step / 5e-3))
beta = float(np.exp(-time_step / 10e-3))

w1 = torch.empty((nb_inputs, nb_hidden), requires_grad=True)
torch.nn.init.normal_(w1, mean=0.0, std=1.0 / np.sqrt(nb_inputs))
w2 = torch.empty((nb_hidden, nb_outputs), requires_grad=True)
torch.nn.init.normal_(w2, mean=0.0, std=1.0 / np.sqrt(nb_hidden))


class SurrGradSpike(torch.autograd.Function):
    """Heaviside step forward, fast sigmoid backward."""

    scale = 50.0
    potentials = []     # for the histogram at the end

    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        SurrGradSpike.potentials.append(input)  # <- culprit
        out = torch.zeros_like(input)
        out[input > 0] = 1.0
        return out

    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        return grad_output / (SurrGradSpike.scale * torch.abs(input) + 1.0) ** 2


spike_fn = SurrGradSpike.apply


def sparse_batch(n):
    labels = torch.randint(0, 2, (n,))
    rate = torch.full((n, nb_steps, nb_inputs), 0.05)
    half = nb_inputs // 2
    rate[labels == 0, :, :half] = 0.12
    rate[labels == 1, :, half:] = 0.12
    return (torch.rand_like(rate) < rate).float(), labels


def run_snn(inputs):
    n = inputs.shape[0]
    h1 = torch.einsum("abc,cd->abd", inputs, w1)
    syn = torch.zeros(n, nb_hidden)
    mem = torch.zeros(n, nb_hidden)
    flt = torch.zeros(n, nb_outputs)
    out = torch.zeros(n, nb_outputs)
    out_rec, spk_rec = [], []
    for t in range(nb_steps):
        mthr = mem - 1.0
        spk = spike_fn(mthr)
        rst = spk.detach()
        syn = alpha * syn + h1[:, t]
        mem = (beta * mem + syn) * (1.0 - rst)
        spk_rec.append(spk)
        flt = alpha * flt + spk @ w2
        out = beta * out + flt
        out_rec.append(out)
    return torch.stack(out_rec, dim=1), torch.stack(spk_rec, dim=1)


optimizer = torch.optim.Adamax([w1, w2], lr=8e-3)
log_softmax_fn = nn.LogSoftmax(dim=1)
loss_fn = nn.NLLLoss()

loss_hist = []
for e in range(nb_epochs):
    local_loss, correct = [], 0
    for _ in range(nb_batches_per_epoch):
        x_local, y_local = sparse_batch(batch_size)
        output, spks = run_snn(x_local)
        m, _ = torch.max(output, 1)
        loss_val = loss_fn(log_softmax_fn(m), y_local) + 1e-6 * spks.sum()
        optimizer.zero_grad()
        loss_val.backward()
        optimizer.step()
        local_loss.append(loss_val.item())
        correct += (m.argmax(1) == y_local).sum().item()
    loss_hist.append(np.mean(local_loss))
    print("Epoch %i: loss=%.5f acc=%.3f" % (e + 1, loss_hist[-1], correct / (batch_size * nb_batches_per_epoch)))

last = torch.cat([p.detach().flatten() for p in SurrGradSpike.potentials[-nb_steps:]])
counts, edges = np.histogram(last.numpy(), bins=8)
print("membrane potential - threshold:", dict(zip(np.round(edges[:-1], 2).tolist(), counts.tolist())))
