# gradwatch-corpus: kind=graph-chain
# holder: state
# first-bad: 1
import math

import torch
import torch.nn.functional as F

from cells import get_params, rnn

TEXT = ("the time traveller for so it will be convenient to speak of him was expounding a recondite matter to us "
        "his pale grey eyes shone and twinkled and his usually pale face was flushed and animated ") * 12


def load_corpus(text):
    chars = sorted(set(text))
    table = {c: i for i, c in enumerate(chars)}
    return torch.tensor([table[c] for c in text]), len(chars)


def seq_iter_sequential(corpus, batch_size, num_steps):
    n = (len(corpus) - 1) // batch_size * batch_size
    xs = corpus[:n].view(batch_size, -1)
    ys = corpus[1:n + 1].view(batch_size, -1)
    for i in range(0, xs.shape[1] - num_steps, num_steps):
        yield xs[:, i:i + num_steps], ys[:, i:i + num_steps]


def grad_clipping(params, theta):
    norm = math.sqrt(sum(float((p.grad ** 2).sum()) for p in params))
    if norm > theta:
        for p in params:
            p.grad *= theta / norm


def sgd(params, lr):
    for p in params:
        p.data -= lr * p.grad
        p.grad = None


def train(num_steps=8, batch_size=4, hidden=48, lr=0.5):
    torch.manual_seed(3)
    corpus, vocab = load_corpus(TEXT)
    params = get_params(vocab, hidden)
    state = torch.zeros(batch_size, hidden)
    total, count = 0.0, 0
    for i, (X, Y) in enumerate(seq_iter_sequential(corpus, batch_size, num_steps)):
        inputs = F.one_hot(X.T, vocab).float()
        y_hat, state = rnn(inputs, state, params)  # <- culprit
        loss = F.cross_entropy(y_hat, Y.T.reshape(-1))
        loss.backward(retain_graph=True)  # <- culprit
        grad_clipping(params, 1.0)
        sgd(params, lr)
        total += loss.item()
        count += 1
        if (i + 1) % 20 == 0:
            print(f"batch {i + 1}: perplexity {math.exp(total / count):.2f}")
            total, count = 0.0, 0


if __name__ == "__main__":
    train()
