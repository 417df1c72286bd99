package shop

import kotlin.math.max

const val LIMIT = 5
val lazyValue by lazy { 1 }
var counter: Int = 0
    private set

/** Sells things. */
@Serializable
abstract class Store<T : Any>(val name: String, private var size: Int = 1) : Base(), Closeable {
    constructor(n: Int) : this("x", n)

    init {
        println("made")
    }

    val count: Int
        get() = size

    abstract fun close(): Unit

    override fun add(item: T): Boolean {
        fun local() = 1
        val f = { x: Int -> x + 1 }
        return true
    }

    inner class Node(val value: T)

    companion object {
        const val MAX = 10
        fun open(path: String): Store<Any> = TODO()
    }

    companion object Named
}

data class Point(val x: Int, val y: Int) {
    operator fun plus(o: Point) = Point(x + o.x, y + o.y)
}

interface Listener {
    fun changed(s: Store<*>)
    val id: Int
}

fun interface Action { fun run() }

enum class State(val code: Int) {
    OPEN(1) {
        override fun label() = "o"
    },
    CLOSED(2);

    open fun label() = "x"
}

object Registry {
    val stores = mutableListOf<Store<*>>()
    fun register(s: Store<*>) {}
}

sealed class Result
typealias Handler = (Int) -> Unit

suspend fun <T> List<T>.second(): T = this[1]

annotation class Marker(val value: String)
