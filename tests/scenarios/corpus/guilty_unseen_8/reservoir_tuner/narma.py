import torch


def narma_stream(segment, order=10):
    u_hist, y_hist = [0.0] * order, [0.0] * order
    while True:
        us, ys = [], []
        for _ in range(segment):
            u = float(torch.rand(())) * 0.5
            y = 0.3 * y_hist[-1] + 0.05 * y_hist[-1] * sum(y_hist[-order:]) + 1.5 * u_hist[-order] * u + 0.1
            u_hist.append(u)
            y_hist.append(min(y, 1.0))
            us.append(u)
            ys.append(y_hist[-1])
        del u_hist[:-order], y_hist[:-order]
        yield torch.tensor(us), torch.tensor(ys)
