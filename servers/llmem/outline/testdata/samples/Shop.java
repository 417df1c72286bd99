package shop;

import java.util.List;

/** Sells things. */
public abstract class Shop<T extends Item> implements Open, Closeable {
    private static final int MAX = 10, MIN = 1;
    private final List<T> items;

    static {
        System.out.println("loaded");
    }

    public Shop(List<T> items) {
        this.items = items;
    }

    @Override
    public <R> R visit(Visitor<R> v) throws IOException {
        Runnable r = () -> v.run();
        class Local {
            void inLocal() {}
        }
        return v.accept(new Visitor<>() {
            @Override public void run() {}
        });
    }

    protected abstract void close(int a,
                                  int b);

    enum State {
        OPEN { @Override int code() { return 1; } },
        CLOSED;

        int code() { return 0; }
    }

    record Point(int x, int y) {
        Point {
            if (x < 0) throw new IllegalArgumentException();
        }
        static Point origin() { return new Point(0, 0); }
    }

    interface Listener {
        int ID = 1;
        void changed(Shop<?> s);
        default void closed() {}
    }

    @interface Marker {
        String value() default "";
    }

    sealed interface Shape permits Circle {}
}

class Helper {
    int[] values = {1, 2};
}
